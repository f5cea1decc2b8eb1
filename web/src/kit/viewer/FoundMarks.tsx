import { memo, useSyncExternalStore } from 'react';
import { boxesOf, type Hit } from './find-text.ts';
import css from './FoundMarks.module.css';
import type { PageTexts } from './page-texts.ts';
import { boxStyle } from './text-fit.ts';

interface FoundMarksProps {
  readonly page: number;
  readonly hits: readonly Hit[];
  /** The one that is shown. */
  readonly current: Hit | undefined;
  readonly words: PageTexts;
}

/** What was found on one page, as with a marker pen. */
export const FoundMarks = memo(function FoundMarks({ page, hits, current, words }: FoundMarksProps) {
  const said = useSyncExternalStore(words.subscribe, () => words.textOf(page));
  if (said.state !== 'read') return null;
  return (
    <div className={css['marks']} aria-hidden="true">
      {hits.flatMap((hit) =>
        boxesOf(hit, said.text).map((box) => (
          <i key={`${box.x} ${box.y}`} data-current={hit === current || undefined} style={boxStyle(box)} />
        )),
      )}
    </div>
  );
});
