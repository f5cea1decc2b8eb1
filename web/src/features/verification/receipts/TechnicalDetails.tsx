import type { ReactNode } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import type { CheckedReceipt } from './check-receipt.ts';
import css from './TechnicalDetails.module.css';

/** The values behind the four answers, for somebody who compares them with another program's. */
export function TechnicalDetails({ checked: { statement, place, witnesses } }: { readonly checked: CheckedReceipt }) {
  if (place === undefined) return null;
  return (
    <details className={css['details']}>
      <summary>
        <Icon name="caret-right" />
        {t('receipt.technical')}
      </summary>
      <dl>
        <Value name={t('receipt.log')}>{place.origin}</Value>
        <Value name={t('receipt.index')}>{numberText(place.index)}</Value>
        <Value name={t('receipt.size')}>{numberText(place.size)}</Value>
        <Value name={t('receipt.root')}>
          <Checksum sha256={place.root} />
        </Value>
        {statement !== undefined && (
          <>
            <Value name={t('receipt.document')}>{statement.documentId}</Value>
            <Value name={t('receipt.event')}>{statement.event}</Value>
            <Value name={t('receipt.statementSum')}>
              <Checksum sha256={statement.sha256} />
            </Value>
          </>
        )}
        {witnesses.map(({ name, at }) => (
          <Value key={name} name={t('receipt.witness')}>
            {name}, {momentText(at * 1_000)}
          </Value>
        ))}
      </dl>
    </details>
  );
}

function Value({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
