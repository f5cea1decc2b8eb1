-- Page images that are drawn ahead: how far the drawing of a content at a width has come. The images are files.

create table rendition (
  sha256 text not null,
  width int not null,
  format int not null,
  pages int not null,
  pages_ready int not null default 0,
  state text not null check (state in ('queued', 'rendering', 'done', 'failed')),
  error text,
  updated_at timestamptz not null default now(),
  -- Which page is looked at while the document is drawn, so that the process that draws it takes that one next.
  looked_page int check (looked_page > 0),
  primary key (sha256, width, format)
);
