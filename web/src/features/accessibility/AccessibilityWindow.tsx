import { CloseButton } from '#desktop/CloseButton.tsx';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { t } from '#platform/language.ts';
import { AccessibilityStatement } from './AccessibilityStatement.tsx';
import css from './AccessibilityStatement.module.css';

/** The accessibility statement on the desk. */
export function AccessibilityWindow() {
  return (
    <>
      {/* Longer than its window: keys must be able to scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css['text']} role="region" aria-label={t('accessibility.title')} tabIndex={0}>
        <AccessibilityStatement firstLevel={3} />
      </div>
      <WindowFoot>
        <CloseButton>{t('accessibility.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}
