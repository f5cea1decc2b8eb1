import { useLayoutEffect, useRef } from 'react';
import { t } from '#platform/language.ts';
import type { WindowKeys } from './useWindowKeys.ts';
import css from './WindowFrame.module.css';

/**
 * Says which keys move or resize the window now, and takes them: with the role of an application, since a screen reader that is reading keeps
 * arrows and letters for itself anywhere else.
 */
export function KeyModeHint({ keys }: { readonly keys: WindowKeys }) {
  const hint = useRef<HTMLParagraphElement>(null);
  const text = keys.mode === 'move' ? t('windows.moveHint') : t('windows.resizeHint');
  useLayoutEffect(() => hint.current?.focus({ preventScroll: true }), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys
    <p
      ref={hint}
      role="application"
      aria-label={text}
      tabIndex={-1}
      className={css['hint']}
      onKeyDown={keys.onKeyDown}
      onBlur={keys.onBlur}
    >
      {text}
    </p>
  );
}
