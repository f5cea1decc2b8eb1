import { addDays, addMonths, isoDay } from './calendar.ts';
import type { Writing } from './contents/writing.ts';
import { typeset } from './layout/typeset.ts';

export interface DemoDocument {
  /** The same on every run: a second publication is recognised by it. */
  uniqueName: string;
  fileName: string;
  type: 'PRIVATE' | 'PUBLIC';
  /** Owner of a PRIVATE document. */
  cif?: string;
  metadata: Record<string, string | number | boolean>;
  daysAgo: number;
  readBy?: { personalId: string }[];
  /** The same bytes on every call, for the same seed and day. */
  pdf(): Promise<Uint8Array>;
}

export interface Stage {
  seed: number;
  /** Midnight of the day of the first start. */
  today: Date;
  statementMarkerKey: string;
}

/** Sets a writing as a PDF that depends on nothing but the stage and its own name. */
export async function print(stage: Stage, paper: { uniqueName: string; daysAgo: number; writing: Writing }): Promise<Uint8Array> {
  return typeset({
    ...paper.writing,
    createdAt: new Date(addDays(stage.today, -paper.daysAgo).getTime() + 9 * 3_600_000),
    identity: `${stage.seed}/${isoDay(stage.today)}/${paper.uniqueName}`,
  });
}

export function retentionDay(day: Date, years: number): string {
  return isoDay(addMonths(day, years * 12));
}

/** A title as a file name: slashes would be folders. */
export function fileNameOf(title: string): string {
  return `${title.replaceAll('/', '-').replaceAll('\u00a0', ' ')}.pdf`;
}
