import { getLedger } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '#kit/buttons/Button.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { t } from '#platform/language.ts';
import css from './ReceiptOffer.module.css';

interface ReceiptOfferProps {
  /** Published for the reader, or for everybody, or sent by the reader. */
  readonly of: 'own' | 'public' | 'sent';
  readonly onDownload: () => Promise<unknown>;
}

/** The receipt of a document, what it is good for, and, where no witness cosigns the register, a sentence that says so. */
export function ReceiptOffer({ of, onDownload }: ReceiptOfferProps) {
  const { busy, start } = useBusy(onDownload);
  const { data: register } = useQuery({ ...lastingCallQuery(getLedger, {}), retry: false });
  return (
    <section className={css['offer']}>
      <p>
        {t(`receipt.offer.${of}`)} {register?.isWatched === false && t('receipt.unwatched')}
      </p>
      <Button size="s" icon="certificate" busy={busy} onClick={start}>
        {t('receipt.download')}
      </Button>
    </section>
  );
}
