-- Mail waits longer than an outage of a weekend, and what was given up can be sent after all.

alter table mail_outbox
  -- Until when the link in it works: it is not sent later. Null: it has none.
  add column valid_until timestamptz,
  -- When a queued mail is tried next; null: at once.
  add column due_at timestamptz;

-- The text of a mail that was given up is kept for `pergamin mail retry`, for as long as its link works and for two weeks at most.
alter table mail_outbox drop constraint mail_outbox_check;
alter table mail_outbox add constraint mail_outbox_content check (content is null or state not in ('sent', 'unconfirmed'));

-- What waits and what was given up: the metrics, and `pergamin mail list`.
create index mail_outbox_unsent on mail_outbox (created_at) where state not in ('sent', 'kept');
