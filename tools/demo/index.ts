import { addDays, dayOf } from './calendar.ts';
import { listInOrder } from './catalogue.ts';
import { portalStatute } from './contents/statute.ts';
import { print } from './document.ts';
import type { DemoDocument, Stage } from './document.ts';

export { demoCategories } from './categories.ts';
export { demoClients } from './people.ts';
export type { DemoClient } from './people.ts';
export { demoDictionaries } from './dictionaries.ts';
export type { DemoDictionary } from './dictionaries.ts';
export type { DemoDocument } from './document.ts';

export interface DemoOptions {
  seed: number;
  /** Every date in the documents is counted back from the calendar day (UTC) of this moment. */
  today: Date;
  /** Name of the metadata key that marks statements. */
  statementMarkerKey?: string;
}

/** Realistic papers of an invented bank, the most telling first: the first sixty hold every kind and serve every client. */
export function demoDocuments(options: DemoOptions): Iterable<DemoDocument> {
  return listInOrder(stageOf(options));
}

export interface DemoStatute {
  version: string;
  effectiveFromDaysAgo: number;
  /** What differs from the version before, in Polish. */
  changes?: string;
  pdf(): Promise<Uint8Array>;
}

/** Versions of the terms of the portal, oldest first; the last is in force. */
export function demoStatutes(options: DemoOptions): DemoStatute[] {
  const stage = stageOf(options);
  return statuteVersions.map((statute) => ({
    ...statute,
    pdf: () =>
      print(stage, {
        uniqueName: `DEMO-STATUTE-${statute.version}`,
        daysAgo: statute.effectiveFromDaysAgo,
        writing: portalStatute(Number(statute.version), addDays(stage.today, -statute.effectiveFromDaysAgo)),
      }),
  }));
}

const statuteVersions: readonly Omit<DemoStatute, 'pdf'>[] = [
  { version: '1', effectiveFromDaysAgo: 1100 },
  { version: '2', effectiveFromDaysAgo: 420, changes: 'Dodano § 5 o wysyłaniu dokumentów do Banku.' },
  { version: '3', effectiveFromDaysAgo: 12, changes: 'Dodano § 5 o samodzielnym sprawdzaniu dokumentów.' },
];

function stageOf(options: DemoOptions): Stage {
  return { seed: options.seed, today: dayOf(options.today), statementMarkerKey: options.statementMarkerKey ?? 'PERGAMIN_ST_DOC_TYPE' };
}
