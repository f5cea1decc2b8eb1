import type { ReactNode } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './DetailsStrip.module.css';
import type { Panel } from './usePanels.ts';

interface DetailsStripProps {
  readonly panel: Panel;
  /** What the button does now. */
  readonly name: string;
  /** The document's seal, and the verdict on it; the panel tells both itself. */
  readonly seal: ReactNode;
  readonly verdict: string;
}

/** On a phone: what the document is worth at a glance, and the way to everything that is known of it. */
export const DetailsStrip = ({ panel: { shown, onToggle }, name, seal, verdict }: DetailsStripProps) => (
  <button type="button" className={css['strip']} aria-expanded={shown} onClick={onToggle}>
    {!shown && seal}
    <span className={css['lines']}>
      {!shown && (
        <strong>
          <Icon name="seal-check-fill" />
          {verdict}
        </strong>
      )}
      <span>{name}</span>
    </span>
    <Icon name={shown ? 'caret-up' : 'caret-down'} />
  </button>
);
