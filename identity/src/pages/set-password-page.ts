import { passwordMinLength, type PasswordFault } from '../accounts/password-rules.ts';
import { describedBy, minutes, problemLine, titleWith } from './form-fields.ts';
import { html, type Markup } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import { fill } from './texts.ts';

export type SetPasswordProblem =
  | { readonly kind: 'empty'; readonly field: 'token' | 'code' | 'password' }
  | { readonly kind: 'wrongCode' }
  | { readonly kind: 'different' }
  | { readonly kind: 'unfit'; readonly fault: PasswordFault }
  | { readonly kind: 'usedBefore'; readonly previous: number }
  | { readonly kind: 'wait'; readonly seconds: number };

export interface SetPasswordEntry {
  /** From the form; empty when the page is opened: only the browser knows the fragment behind `#`. */
  readonly token: string;
  /** The typed activation code; undefined where none is needed. */
  readonly code: string | undefined;
  readonly problem: SetPasswordProblem | undefined;
}

const sentenceOf = ({ texts }: PageContext, problem: SetPasswordProblem, lengths: Record<string, string>): string => {
  if (problem.kind === 'empty') return texts.fieldRequired;
  if (problem.kind === 'wrongCode') return texts.activationCodeWrong;
  if (problem.kind === 'different') return texts.passwordsDiffer;
  if (problem.kind === 'wait') return fill(texts.tooManyAttempts, { time: minutes(problem.seconds) });
  if (problem.kind === 'usedBefore') return fill(texts.passwordUsedBefore, { count: String(problem.previous + 1) });
  const faults: Readonly<Record<PasswordFault, string>> = {
    length: fill(texts.passwordWrongLength, lengths),
    characters: texts.passwordMissingKinds,
    personalId: texts.passwordHoldsId,
    common: texts.passwordTooCommon,
  };
  return faults[problem.fault];
};

const fieldOf = ({ problem, code }: SetPasswordEntry): 'token' | 'code' | 'password' | 'repeat' | undefined => {
  if (problem === undefined) return undefined;
  if (problem.kind === 'empty') return problem.field;
  if (problem.kind === 'different') return 'repeat';
  return problem.kind === 'wrongCode' || (problem.kind === 'wait' && code !== undefined) ? 'code' : 'password';
};

const codeField = (context: PageContext, { code, isFirst, problem }: { code: string; isFirst: boolean; problem: Markup | undefined }) =>
  html`<div class="field">
    <label for="code">${context.texts.activationCode}</label>
    <input
      id="code"
      name="code"
      class="num"
      type="text"
      value="${code}"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="32"
      required${isFirst && html` autofocus`}${describedBy('code-hint', problem !== undefined)}
    />
    <p class="hint" id="code-hint">${context.texts.activationCodeHint}</p>
    ${problem}
  </div>`;

/**
 * Sets a password with a mailed link. A script of this origin copies the code from behind `#` into the form; without it the code is pasted, and
 * the page says which part of the link it is.
 */
export const setPasswordPage = (context: PageContext, { maxLength, ...entry }: SetPasswordEntry & { maxLength: number }): string => {
  const { token, code, problem } = entry;
  const { assets, language, texts } = context;
  const lengths = { min: String(passwordMinLength), max: String(maxLength) };
  const sentence = problem && sentenceOf(context, problem, lengths);
  const wrong = fieldOf(entry);
  const line = problemLine(context, sentence);
  const main = html`<form class="card" method="post" action="/identity/${code === undefined ? 'reset' : 'activate'}?lang=${language}">
    <div class="title">
      ${assets.icon('user-circle-duotone')}
      <h1>${texts.setPassword}</h1>
    </div>
    <div class="field" id="token-field" ${token !== '' && html` hidden`}>
      <label for="token">${texts.linkCode}</label>
      <input
        id="token"
        name="token"
        type="text"
        value="${token}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength="64"
        required${describedBy('token-hint', wrong === 'token')}
      />
      <p class="hint" id="token-hint">${texts.linkCodeHint}</p>
      ${wrong === 'token' && line}
    </div>
    ${code !== undefined && codeField(context, { code, isFirst: token !== '' && wrong === 'code', problem: wrong === 'code' ? line : undefined })}
    <div class="field">
      <label for="password">${texts.newPassword}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        required${token !== '' && wrong !== 'code' && html` autofocus`}${describedBy('rules', wrong === 'password')}
      />
      <p class="hint" id="rules">${fill(texts.passwordRules, lengths)}</p>
      ${wrong === 'password' && line}
    </div>
    <div class="field">
      <label for="repeat">${texts.repeatPassword}</label>
      <input id="repeat" name="repeat" type="password" autocomplete="new-password" required${describedBy(undefined, wrong === 'repeat')} />
      ${wrong === 'repeat' && line}
    </div>
    <button class="primary" type="submit">${texts.savePassword}</button>
  </form>`;
  return layout(context, { title: titleWith(sentence, texts.setPassword), main, hasLanguages: true, script: assets.linkScript });
};
