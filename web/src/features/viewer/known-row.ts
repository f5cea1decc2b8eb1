import type { DocumentRow } from '@pergamin/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findDocumentRow } from '#platform/document-rows.ts';

/** What a list told of the document when its window was opened. */
export function useKnownRow(id: string): DocumentRow | undefined {
  const queries = useQueryClient();
  const [row] = useState(() => findDocumentRow(queries, id));
  return row;
}
