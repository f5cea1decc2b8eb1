import { Seal } from '#kit/seal/Seal.tsx';
import { readingTexts } from './reading-progress.ts';
import css from './ReadingTicks.module.css';
import { useViewerState, type Viewer } from './useViewer.ts';

const mostBars = 12;
const sealSizePx = 28;

/** How far the reading is: a bar per page, above twelve pages one long bar; always in words too. The last page draws in the seal of `sha256`. */
export function ReadingTicks({ viewer, sha256 = '' }: { readonly viewer: Viewer; readonly sha256?: string | undefined }) {
  const { count } = viewer;
  const reached = useViewerState(viewer, (state) => state.reached);
  const failed = useViewerState(viewer, (state) => state.rendering.failed);
  const { text, hint } = readingTexts(count, reached, failed);
  return (
    <div className={css['ticks']}>
      {sha256 !== '' && reached.size >= count && <Seal sha256={sha256} size={sealSizePx} look="sweep" />}
      <span className={css['bars']} aria-hidden="true">
        {count <= mostBars ? (
          Array.from({ length: count }, (_, index) => <i key={index + 1} data-reached={reached.has(index + 1) || undefined} />)
        ) : (
          <span className={css['long']}>
            <i style={{ width: `${(reached.size / count) * 100}%` }} />
          </span>
        )}
      </span>
      <span role="status" className={css['words']}>
        {text}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </div>
  );
}
