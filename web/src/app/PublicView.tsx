import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { PublicDocuments } from '#features/public-documents/PublicDocuments.tsx';
import { createQueryClient } from './query-client.ts';

/** The public documents of `/login`, with a cache of their own: its code is not loaded with the sign-in. */
export function PublicView() {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <PublicDocuments />
    </QueryClientProvider>
  );
}
