import { demoDocuments } from '@pergamin/tools/demo';

/** The first message to the process, and its answer for each document: the description of a publication and the bytes. */
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

const isOrder = (message: unknown): message is DemoPapersOrder =>
  message !== null && typeof message === 'object' && 'seed' in message && 'today' in message;

let papers: Iterator<ReturnType<typeof demoDocuments> extends Iterable<infer Paper> ? Paper : never> | undefined;

const writeNext = async (): Promise<DemoPaper | null> => {
  const next = papers?.next();
  if (next === undefined || next.done === true) return null;
  const { uniqueName, fileName, type, cif, metadata, daysAgo, readBy = [] } = next.value;
  return {
    description: { uniqueName, fileName, type, metadata, ...(cif === undefined ? {} : { cif }) },
    readBy: readBy.map(({ personalId }) => personalId),
    daysAgo,
    bytes: await next.value.pdf(),
  };
};

/**
 * Writes the demonstration papers in a process of its own, one per request: the portal answers meanwhile, and the memory of
 * typesetting ends with the process.
 */
process.on('message', (message) => {
  if (isOrder(message)) papers = demoDocuments(message)[Symbol.iterator]();
  // An uncaught error ends the process, and the portal reads its exit code.
  else void writeNext().then((paper) => process.send?.(paper));
});
process.on('disconnect', () => process.exit(0));
