import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { publicAddress } from '#features/public-documents/public-address.ts';
import { PublicDocuments } from '#features/public-documents/PublicDocuments.tsx';
import { LineNotice } from './LineNotice.tsx';
import { createQueryClient } from './query-client.ts';

interface PublicViewProps {
  readonly documentId: string | undefined;
  readonly onNotFound: (id: string) => void;
}

/** The public documents of `/login` and `/public/…`, with a cache of their own: its code is not loaded with the sign-in. */
export function PublicView({ documentId, onNotFound }: PublicViewProps) {
  const [, navigate] = useLocation();
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <LineNotice />
      <PublicDocuments
        documentId={documentId}
        onShow={(id, options) => navigate(publicAddress(id), options)}
        onShowList={() => navigate('/login')}
        onNotFound={onNotFound}
      />
    </QueryClientProvider>
  );
}
