import type { Pdfium } from './pdfium.ts';

interface Engine {
  readonly owner: string;
  readonly pdfium: Pdfium;
  readonly documents: number;
}

/** Then its memory is taken anew, whatever the engine has not given back. */
const maxDocuments = 200;
const maxBytes = 64 * 1024 * 1024;

/**
 * Keeps the engine that inspected the last document for the next one of the same owner: making an engine costs some twenty times what an ordinary
 * statement costs to be inspected. It is kept only when it is given back, so that a document that failed takes its engine with it.
 */
export const createInspectionEngine = (make: () => Promise<Pdfium>) => {
  let kept: Engine | undefined;
  return {
    async take(owner: string): Promise<Engine> {
      const engine = kept?.owner === owner ? kept : undefined;
      kept = undefined;
      return engine ?? { owner, pdfium: await make(), documents: 0 };
    },
    /** Its document is closed. */
    giveBack({ documents, ...engine }: Engine): void {
      if (documents + 1 < maxDocuments && engine.pdfium.bytes().length <= maxBytes) kept = { ...engine, documents: documents + 1 };
    },
    drop(): void {
      kept = undefined;
    },
  };
};
