import { html } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import type { Texts } from './texts.ts';

export type Notice = 'expired' | 'failed' | 'notFound' | 'linkRequested' | 'linkVoid' | 'passwordSet';

interface Shape {
  readonly icon: string;
  readonly lead?: keyof Texts;
}

const shapes: Readonly<Record<Notice, Shape>> = {
  expired: { icon: 'clock', lead: 'expiredLead' },
  failed: { icon: 'warning-circle' },
  notFound: { icon: 'warning-circle' },
  linkRequested: { icon: 'envelope-simple', lead: 'linkRequestedLead' },
  linkVoid: { icon: 'clock', lead: 'linkVoidLead' },
  passwordSet: { icon: 'check-circle-fill', lead: 'passwordSetLead' },
};

/** A page of one calm sentence about the outcome, and a link to go on. */
export const noticePage = (context: PageContext, { notice, signInUrl }: { notice: Notice; signInUrl: string }): string => {
  const { assets, language, texts } = context;
  const { icon, lead } = shapes[notice];
  const main = html`<section class="card notice">
    <div class="title">
      ${assets.icon(icon)}
      <h1>${texts[notice]}</h1>
    </div>
    ${lead !== undefined && html`<p class="lead">${texts[lead]}</p>`}
    ${
      notice === 'linkVoid'
        ? html`<a class="primary" href="/identity/forgot?lang=${language}">${texts.newLink}</a>`
        : html`<a class="primary" href="${signInUrl}">${texts.goBack}</a>`
    }
  </section>`;
  return layout(context, { title: texts[notice], main, hasLanguages: false });
};
