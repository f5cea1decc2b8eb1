import { t } from '#platform/language.ts';
import type { MetadataLine, ShownValue } from '#platform/metadata.ts';
import { Checksum } from './Checksum.tsx';
import css from './MetadataList.module.css';

/** Metadata as names over values. */
export function MetadataList({ lines }: { readonly lines: readonly MetadataLine[] }) {
  return (
    <dl className={css['list']}>
      {lines.map(({ id, label, value }) => (
        <div key={id}>
          <dt>{label}</dt>
          <dd data-look={value.look}>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { readonly value: ShownValue }) {
  if (value.look === 'checksum') return <Checksum sha256={value.text} />;
  if (value.look === 'indefinite') return <Indefinite />;
  return value.text;
}

/** The word for a date without an end is Polish in every language, with its meaning after it (E7). */
export function Indefinite() {
  const gloss = t('date.indefiniteGloss');
  return (
    <>
      <span lang="pl">{t('date.indefinite')}</span>
      {gloss !== '' && ` (${gloss})`}
    </>
  );
}
