import { minutes, personalIdField, problemLine, titleWith } from './form-fields.ts';
import { html } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import { fill } from './texts.ts';

export type ForgotProblem = { readonly kind: 'empty' } | { readonly kind: 'wait'; readonly seconds: number };

/** Asks whose password is forgotten. Does not reveal whether the id exists. */
export const forgotPage = (
  context: PageContext,
  { problem, signInUrl }: { problem: ForgotProblem | undefined; signInUrl: string },
): string => {
  const { assets, language, texts } = context;
  const sentence =
    problem === undefined
      ? undefined
      : problem.kind === 'empty'
        ? texts.fieldRequired
        : fill(texts.tooManyAttempts, { time: minutes(problem.seconds) });
  const main = html`<form class="card" method="post" action="/identity/forgot?lang=${language}">
    <div class="title">
      ${assets.icon('user-circle-duotone')}
      <h1>${texts.forgotTitle}</h1>
    </div>
    <p class="lead">${texts.forgotLead}</p>
    ${personalIdField(context, { isWrong: problem !== undefined, problem: problemLine(context, sentence) })}
    <button class="primary" type="submit">${texts.sendLink}</button>
    <p class="aside"><a href="${signInUrl}">${texts.goBack}</a></p>
  </form>`;
  return layout(context, { title: titleWith(sentence, texts.forgotTitle), main, hasLanguages: true });
};
