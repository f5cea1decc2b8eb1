import { t } from '#platform/language.ts';
import type { MetadataLine, ShownValue } from '#platform/metadata.ts';
import { Checksum } from '#kit/seal/Checksum.tsx';
import css from './MetadataList.module.css';
import { UnbrokenNumbers } from './UnbrokenNumbers.tsx';

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
  return value.look === 'text' ? <UnbrokenNumbers text={value.text} /> : value.text;
}

/** A date without an end: the word is Polish in every language, with its meaning after it (E7). */
export function Indefinite() {
  const word = t('date.indefinite');
  const whole = t('date.indefiniteInFull');
  if (!whole.startsWith(word)) return whole;
  return (
    <>
      <span lang="pl">{word}</span>
      {whole.slice(word.length)}
    </>
  );
}
