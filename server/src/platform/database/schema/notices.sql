-- How clients learn of news: the bell inside the portal (notification), and mail and SMS outside of it (notice).

-- One per person and event. Its title is read from the document, so that a forgotten one leaves no name behind.
create table notification (
  id uuid primary key default gen_random_uuid(),
  -- Personal id. No foreign key: a publication would lock the rows of its readers, and wait for every statement that writes clients.
  receiver text not null,
  type text not null check (type in ('publication', 'account_update')),
  -- Null of an account_update.
  document_id uuid references document on delete cascade,
  created_at timestamptz not null,
  read_at timestamptz,
  check ((type = 'publication') = (document_id is not null))
);
-- One notification of a document for each person, however it reached them; it is removed with the document.
create unique index notification_document on notification (document_id, receiver) where document_id is not null;
-- The bell: what a client has not read, newest first.
create index notification_unread on notification (receiver, created_at desc, id desc) where read_at is null;
-- The sweep of what was read long ago.
create index notification_read on notification (read_at) where read_at is not null;

-- What left the building, or should have: one row for a document, a person and an occasion, also after a crash. It holds no words and no
-- address: the text is made when it is sent, from the document as it is then.
create table notice (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references document on delete cascade,
  -- Personal id; no foreign key, as above.
  receiver text not null,
  kind text not null check (kind in ('publication', 'reminder')),
  -- Null: there was no way to reach the person.
  channel text check (channel in ('EMAIL', 'SMS')),
  state text not null check (state in ('queued', 'sent', 'failed', 'bounced')),
  -- Of failed and bounced ones.
  reason text check (reason in ('NO_ADDRESS', 'REFUSED', 'GIVEN_UP', 'WITHDRAWN', 'BOUNCED')),
  -- How often it was taken up.
  attempts int not null default 0,
  -- How often it was handed to the mail server or the gateway, or may have been: written down before the last word is said.
  sends int not null default 0,
  -- How often it was not taken, and is tried again.
  failures int not null default 0,
  -- Of the run that is sending it now: an older run that resumes cannot go on.
  claim uuid,
  -- What the gateway calls it; of a mail its Message-ID.
  message_id text,
  last_error text,
  due_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  bounced_at timestamptz,
  unique (document_id, receiver, kind),
  check ((state in ('failed', 'bounced')) = (reason is not null)),
  check (channel is not null or state = 'failed')
);
-- The next due notice of a document's batch by one channel.
create index notice_queued on notice (document_id, channel, due_at) where state = 'queued';
-- Batches whose job was lost: what should have gone long ago.
create index notice_overdue on notice (due_at) where state = 'queued';
-- A report of the gateway, or a bounce, names its notice.
create index notice_message on notice (message_id) where message_id is not null;
-- Publications of some days ago that need a reminder.
create index notice_age on notice (created_at, kind);

-- Failures reported before the gateway's id of the message was recorded. Kept for a short time.
create table early_report (
  message_id text primary key,
  reason text not null,
  received_at timestamptz not null
);
-- The sweep of reports whose message never came.
create index early_report_age on early_report (received_at);
