import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './DetailsStrip.module.css';
import type { Panel } from './usePanels.ts';

interface DetailsStripProps {
  readonly panel: Panel;
  /** The document's seal, and the verdict on it; the panel tells both itself. */
  readonly seal: ReactNode;
  readonly verdict: string;
}

/** On a phone: what the document is worth at a glance, and the way to everything that is known of it. */
export const DetailsStrip = ({ panel: { shown, onToggle }, seal, verdict }: DetailsStripProps) => (
  <button type="button" className={css['strip']} aria-expanded={shown} onClick={onToggle}>
    {!shown && seal}
    <span className={css['lines']}>
      {!shown && (
        <strong>
          <Icon name="seal-check-fill" />
          {verdict}
        </strong>
      )}
      <span>{t(shown ? 'viewer.hideDetails' : 'viewer.details')}</span>
    </span>
    <Icon name={shown ? 'caret-up' : 'caret-down'} />
  </button>
);
