import { createNotices } from '#features/notices/notices.door.ts';
import { createWebhooks } from '#features/webhooks/webhooks.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMail } from '#platform/mail/create-mail.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings } from '#platform/settings/settings.ts';

const sentences = {
  'brand.organisation': 'Bank Wisła',
  'mail.newDocument.subject': 'A new document',
  'mail.newDocument.text': '{{fileName}}\n\n{{link}}',
  'sms.newDocument.text': '{{organisation}}: a new document',
};

/** The room of notices alone, with a mail server and a gateway, without the rest of the portal. */
export const openNotices = ({ db }: Pick<OpenDatabase, 'db'>, { smtpUrl, smsUrl }: { smtpUrl: string; smsUrl: string }) => {
  const settings = readSettings({ PUBLIC_URL: 'https://documents.example.com', SMTP_URL: smtpUrl, SMS_URL: smsUrl });
  const parts = { db, jobs: createJobs(db), settings, metrics: createMetrics(), sentences: () => sentences };
  const log = silentLog();
  const webhooks = createWebhooks({ ...parts, running: { clock: systemClock, log } });
  const { post } = createMail({ ...parts, clock: systemClock, log });
  return createNotices({ ...parts, post, webhooks, running: { clock: systemClock, log } });
};
