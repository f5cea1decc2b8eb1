-- The statute (terms), its versions, and who accepted which.

create table statute (
  id uuid primary key,
  version text not null unique,
  effective_from timestamptz not null,
  changes text,
  object_key text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  page_count int not null,
  page_sizes jsonb not null,
  published_at timestamptz not null default now(),
  demo boolean not null default false
);
-- The version in force: the latest that is effective.
create index statute_effective on statute (effective_from desc);

-- Who accepted which version, when, with which checksum. Insert-only.
create table statute_acceptance (
  personal_id text not null references client on delete cascade,
  statute_id uuid not null references statute,
  version text not null,
  sha256 text not null,
  accepted_at timestamptz not null default now(),
  primary key (personal_id, statute_id)
);
create trigger statute_acceptance_insert_only before update or delete on statute_acceptance for each row execute function refuse_change();
create trigger statute_acceptance_no_truncate before truncate on statute_acceptance for each statement execute function refuse_change();

-- Which of its pages a client has seen before accepting.
create table statute_mark (
  personal_id text not null references client on delete cascade,
  statute_id uuid not null references statute on delete cascade,
  pages int[] not null default '{}',
  primary key (personal_id, statute_id)
);
