import { getAccount, setupChannel, type ChannelId } from '@pergamin/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api.ts';
import { callQuery, useRefreshOn } from '#platform/call.queries.ts';
import { emit } from '#platform/events.ts';

const asking = callQuery(getAccount, {});

/** What the portal knows of the person; asked again whenever it has been changed, here or by the organisation. */
export function useAccount() {
  useRefreshOn('accountUpdated', getAccount);
  return useQuery(asking);
}

/** Saves the channel and tells everybody who shows the account (J1). */
export function useSaveChannel(onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (channel: ChannelId) => call(setupChannel, { params: { channel } }),
    // Shown beside the choice.
    onError: () => undefined,
    onSuccess: (_, channel) => {
      queries.setQueryData(asking.queryKey, (known) => known && { ...known, preferredChannelId: channel });
      emit('accountUpdated', undefined);
      onSaved();
    },
  });
}
