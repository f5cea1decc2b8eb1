import { parentPort, workerData } from 'node:worker_threads';
import { demoDocuments } from '@pergamin/tools/demo';

/** What the thread is told, and what it sends for each document: the description of a publication and the bytes. */
export interface DemoPapersOrder {
  readonly seed: number;
  readonly today: Date;
  readonly statementMarkerKey: string;
}

export interface DemoPaper {
  readonly description: Record<string, unknown>;
  readonly readBy: readonly string[];
  readonly daysAgo: number;
  readonly bytes: Uint8Array;
}

const isOrder = (data: unknown): data is DemoPapersOrder => data !== null && typeof data === 'object' && 'seed' in data && 'today' in data;

/** Writes the demonstration papers in a thread of its own, one each time it is asked, so that the portal answers meanwhile. */
const serve = (port: NonNullable<typeof parentPort>, order: DemoPapersOrder): void => {
  const papers = demoDocuments(order)[Symbol.iterator]();
  port.on('message', () => {
    const next = papers.next();
    if (next.done === true) {
      port.postMessage(null);
      return;
    }
    const { uniqueName, fileName, type, cif, metadata, daysAgo, readBy = [], pdf } = next.value;
    pdf().then(
      (bytes) => {
        const paper: DemoPaper = {
          description: { uniqueName, fileName, type, metadata, ...(cif === undefined ? {} : { cif }) },
          readBy: readBy.map(({ personalId }) => personalId),
          daysAgo,
          bytes,
        };
        port.postMessage(paper);
      },
      (error: unknown) => {
        throw error;
      },
    );
  });
};

if (parentPort !== null && isOrder(workerData)) serve(parentPort, workerData);
