import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { PublicPreview } from '#features/public-documents/PublicPreview.tsx';
import { createQueryClient } from './query-client.ts';

interface FoundPublicDocumentProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** A public document that was verified, page by page. */
export function FoundPublicDocument(props: FoundPublicDocumentProps) {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <PublicPreview {...props} />
    </QueryClientProvider>
  );
}
