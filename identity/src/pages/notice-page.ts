import { html } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import type { Texts } from './texts.ts';

export type Notice = 'expired' | 'failed' | 'notFound' | 'linkRequested' | 'linkVoid' | 'passwordSet' | 'passwordReset';

interface Shape {
  readonly icon: string;
  readonly title: Exclude<Notice, 'passwordReset'>;
  readonly lead?: keyof Texts;
}

const shapes: Readonly<Record<Notice, Shape>> = {
  expired: { title: 'expired', icon: 'clock', lead: 'expiredLead' },
  failed: { title: 'failed', icon: 'warning-circle' },
  notFound: { title: 'notFound', icon: 'warning-circle' },
  linkRequested: { title: 'linkRequested', icon: 'envelope-simple', lead: 'linkRequestedLead' },
  linkVoid: { title: 'linkVoid', icon: 'clock', lead: 'linkVoidLead' },
  passwordSet: { title: 'passwordSet', icon: 'check-circle-fill', lead: 'passwordSetLead' },
  passwordReset: { icon: 'check-circle-fill', title: 'passwordSet', lead: 'passwordResetLead' },
};

/** A page of one calm sentence about the outcome, and a link to go on. */
export const noticePage = (context: PageContext, { notice, signInUrl }: { notice: Notice; signInUrl: string }): string => {
  const { assets, language, texts } = context;
  const { icon, title, lead } = shapes[notice];
  const main = html`<section class="card notice">
    <div class="title">
      ${assets.icon(icon)}
      <h1>${texts[title]}</h1>
    </div>
    ${lead !== undefined && html`<p class="lead">${texts[lead]}</p>`}
    ${
      notice === 'linkVoid'
        ? html`<a class="primary" href="/identity/forgot?lang=${language}">${texts.newLink}</a>`
        : html`<a class="primary" href="${signInUrl}">${texts.goBack}</a>`
    }
  </section>`;
  return layout(context, { title: texts[title], main, hasLanguages: false });
};
