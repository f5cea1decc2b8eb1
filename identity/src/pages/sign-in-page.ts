import { describedBy, minutes, personalIdField, problemLine, titleWith } from './form-fields.ts';
import { html, type Markup } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import { fill } from './texts.ts';

export type Problem =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'empty'; readonly field: 'personalId' | 'password' }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number };

interface SignInPage {
  /** The personal id, when the portal knows it; otherwise the page asks for the id too. */
  readonly personalId: string | undefined;
  readonly uid: string;
  readonly signInUrl: string;
  readonly problem: Problem | undefined;
}

const sentenceOf = ({ texts }: PageContext, problem: Problem | undefined): string | undefined => {
  if (problem === undefined) return undefined;
  if (problem.kind === 'invalid') return texts.invalidCredentials;
  if (problem.kind === 'empty') return texts.fieldRequired;
  return fill(texts.tooManyAttempts, { time: minutes(problem.retryAfterSeconds) });
};

const whose = ({ texts }: PageContext, { personalId, signInUrl }: SignInPage): Markup | undefined => {
  if (personalId === undefined) return undefined;
  const [before = '', after = ''] = texts.whose.split('{{personalId}}');
  return html`<p>${before}<strong class="num">${personalId}</strong>${after} · <a href="${signInUrl}">${texts.changeId}</a></p>`;
};

/** Password managers look for the name beside the password; here it is known already, so it is there for them only. */
const idField = (context: PageContext, { personalId, problem }: SignInPage): Markup => {
  if (personalId !== undefined)
    return html`<input
      class="visually-hidden"
      type="text"
      name="personalId"
      value="${personalId}"
      autocomplete="username"
      readonly
      tabindex="-1"
      aria-hidden="true"
    />`;
  return personalIdField(context, { isWrong: problem?.kind === 'empty' && problem.field === 'personalId' });
};

/** Asks for the password, and for nothing else when the personal id is known. */
export const signInPage = (context: PageContext, page: SignInPage): string => {
  const { assets, https, language, texts } = context;
  const { personalId, problem, uid } = page;
  const sentence = sentenceOf(context, problem);
  const title = personalId === undefined ? texts.enterIdTitle : texts.title;
  const isPasswordWrong = problem !== undefined && !(problem.kind === 'empty' && problem.field === 'personalId');
  const main = html`<form class="card" method="post" data-in-place action="/identity/interaction/${uid}?lang=${language}">
    <div class="title">
      ${assets.icon('user-circle-duotone')}
      <div>
        <h1>${title}</h1>
        ${whose(context, page)}
      </div>
    </div>
    ${idField(context, page)}
    <div class="field">
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required${personalId !== undefined && html` autofocus`}${describedBy(undefined, isPasswordWrong)}
      />
      ${problemLine(context, sentence)}
    </div>
    <button class="primary" type="submit">${texts.signIn}</button>
    <p class="aside"><a href="/identity/forgot?lang=${language}">${texts.forgot}</a></p>
    ${https && html`<p class="encrypted">${assets.icon('lock-key')}<span>${texts.encrypted}</span></p>`}
  </form>`;
  return layout(context, { title: titleWith(sentence, title), main, hasLanguages: true, script: assets.signInScript });
};
