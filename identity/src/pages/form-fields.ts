import { html, type Markup } from './html.ts';
import type { PageContext } from './layout.ts';

/** Minutes and seconds of a time to wait. */
export const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** What is wrong, beside the field it belongs to; read out when it appears. */
export const problemLine = ({ assets }: PageContext, sentence: string | undefined): Markup | undefined =>
  sentence === undefined
    ? undefined
    : html`<p class="problem" id="problem" role="alert">${assets.icon('warning-circle')}<span>${sentence}</span></p>`;

/** The attributes of a field with a hint (its id), and of the one that the problem is about. */
export const describedBy = (hintId: string | undefined, isWrong: boolean): Markup | false => {
  const ids = [hintId, isWrong ? 'problem' : undefined].filter((id) => id !== undefined).join(' ');
  return ids !== '' && html`${isWrong && html` aria-invalid="true"`} aria-describedby="${ids}"`;
};

/** A screen reader announces the title first after the page has been loaded again. */
export const titleWith = (sentence: string | undefined, title: string): string =>
  sentence === undefined ? title : `${sentence} – ${title}`;

/** The field for a personal id, on pages that do not know it. */
export const personalIdField = (context: PageContext, { isWrong, problem }: { isWrong: boolean; problem?: Markup | undefined }): Markup =>
  html`<div class="field">
    <label for="personalId">${context.texts.personalId}</label>
    <input
      id="personalId"
      name="personalId"
      type="text"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="64"
      required
      autofocus${describedBy(undefined, isWrong)}
    />
    ${problem}
  </div>`;
