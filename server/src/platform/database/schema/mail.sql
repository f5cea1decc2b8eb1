-- The outbox: every mail that was ever queued. Its text is kept only until it is sent or given up: it may hold a link that signs a person in.

create table mail_outbox (
  id uuid primary key,
  message_id text not null unique,
  recipient text not null,
  language text not null check (language ~ '^[A-Z]{2,3}$'),
  template text not null,
  subject text not null,
  content text,
  -- queued → sending → handed_over (the server has everything but the final dot) → sent.
  -- unconfirmed: the process ended after that dot, before the answer. failed: refused, or given up.
  -- kept: there is no mail server; it is read in the local outbox.
  state text not null check (state in ('queued', 'sending', 'handed_over', 'sent', 'unconfirmed', 'failed', 'kept')),
  attempts integer not null default 0,
  -- Of the run that is sending it now: an older run that resumes cannot go on.
  claim uuid,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- A link that signs a person in does not outlive its mail.
  check ((content is null) = (state in ('sent', 'unconfirmed', 'failed')))
);
-- The local outbox, newest first; and the sweep of old mail.
create index mail_outbox_age on mail_outbox (created_at desc);
