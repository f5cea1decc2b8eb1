import { html } from './html.ts';
import { layout, type PageContext } from './layout.ts';

export type Notice = 'expired' | 'failed' | 'notFound';

/** Says calmly that signing in cannot go on here, and leads back. */
export const noticePage = (context: PageContext, { notice, signInUrl }: { notice: Notice; signInUrl: string }): string => {
  const { assets, texts } = context;
  const main = html`<section class="card notice">
    <div class="title">
      ${assets.icon(notice === 'expired' ? 'clock' : 'warning-circle')}
      <h1>${texts[notice]}</h1>
    </div>
    ${notice === 'expired' && html`<p class="lead">${texts.expiredLead}</p>`}
    <a class="primary" href="${signInUrl}">${texts.goBack}</a>
  </section>`;
  return layout(context, { title: texts[notice], main, hasLanguages: false });
};
