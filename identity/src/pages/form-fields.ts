import { html, type Markup } from './html.ts';
import type { PageContext } from './layout.ts';

/** Minutes and seconds of a time to wait. */
export const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** What is wrong, beside the field it belongs to; read out when it appears. */
export const problemLine = ({ assets }: PageContext, sentence: string | undefined): Markup | undefined =>
  sentence === undefined
    ? undefined
    : html`<p class="problem" id="problem" role="alert">${assets.icon('warning-circle')}<span>${sentence}</span></p>`;

/** Marks a field as the one the problem is about. */
export const wrongIf = (isWrong: boolean): Markup | false => isWrong && html` aria-invalid="true" aria-describedby="problem"`;

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
      autofocus${wrongIf(isWrong)}
    />
    ${problem}
  </div>`;
