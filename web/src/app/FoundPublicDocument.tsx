import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { PublicPreview } from '#features/public-documents/PublicPreview.tsx';
import { t } from '#platform/language.ts';
import { createQueryClient } from './query-client.ts';

/** A public document that was verified, page by page. Its new version takes its place. */
export function FoundPublicDocument({ id, title, onClose }: { readonly id: string; readonly title: string; readonly onClose: () => void }) {
  const [queries] = useState(createQueryClient);
  const [shown, setShown] = useState({ id, title });
  return (
    <QueryClientProvider client={queries}>
      <PublicPreview
        key={shown.id}
        {...shown}
        onClose={onClose}
        onOpenNewVersion={(successor) => setShown({ id: successor, title: t('documents.preview') })}
      />
    </QueryClientProvider>
  );
}
