import './offline.css';
import { sessionStorageKeys, type LanguageCode } from '@pergamin/contract';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import english from '../../../../../languages/en.json';
import polish from '../../../../../languages/pl.json';
import { Button } from '#kit/buttons/Button.tsx';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { useFileDrop } from '#kit/hooks/useFileDrop.ts';
import { usePreventFileDrops } from '#kit/hooks/usePreventFileDrops.ts';
import { speak, t } from '#platform/language.ts';
import { hashBlob } from '#features/verification/hash-blob.ts';
import type { HashFile } from '#features/verification/hash-file.ts';
import { ReceiptCard } from '#features/verification/receipts/ReceiptCard.tsx';
import { ReceiptInput } from '#features/verification/receipts/ReceiptInput.tsx';
import { useReceiptCheck } from '#features/verification/receipts/useReceiptCheck.ts';
import columnsCss from '#features/verification/Verification.module.css';
import css from './OfflinePage.module.css';

/** The whole of verify.html: it asks no one, and knows nothing of the portal but the words. */
const sentences = { PL: polish, EN: english } as const;
type Language = keyof typeof sentences;
const zone = { 'brand.timeZone': Intl.DateTimeFormat().resolvedOptions().timeZone };

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root element');
const root = createRoot(element);

const show = async (language: Language): Promise<void> => {
  sessionStorage.setItem(sessionStorageKeys.language, language satisfies LanguageCode);
  await speak(language, { ...sentences[language], ...zone });
  root.render(<OfflinePage key={language} language={language} />);
};

/** Verification by receipt, as a file that one keeps: it works without the portal, and without any network. */
function OfflinePage({ language }: { readonly language: Language }) {
  const check = useReceiptCheck({ hash: hashHere, loadKeys: noKeys });
  const drop = useFileDrop((files) => void check.addFiles(files));
  const other = language === 'PL' ? 'EN' : 'PL';
  const button = useRef<HTMLButtonElement>(null);
  usePreventFileDrops();
  useEffect(() => {
    document.title = t('receipt.offlineTitle');
  }, []);
  return (
    // Dropping is a short way for a pointer; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css['page']} {...drop.zone}>
      <header className={css['header']}>
        <p>{t('receipt.offlineNote')}</p>
        <Button size="s" icon="translate" lang={other.toLowerCase()} onClick={() => void show(other)}>
          {other === 'EN' ? 'English' : 'Polski'}
        </Button>
      </header>
      <main className={css['main']}>
        <div className={columnsCss['screen']}>
          <div className={columnsCss['columns']}>
            <div className={columnsCss['left']}>
              <div>
                <h1>{t('receipt.offlineTitle')}</h1>
                <p className={css['lead']}>{t('receipt.offlineLead')}</p>
              </div>
              <ReceiptInput check={check} buttonRef={button} isOver={drop.isOver} isOffline />
            </div>
            <section className={columnsCss['right']} aria-label={t('verify.result')}>
              <ReceiptCard check={check} heading="h2" />
            </section>
          </div>
        </div>
      </main>
      <Announcer />
    </div>
  );
}

/** A page of a file cannot start a worker of its own. */
const hashHere: HashFile = (file, { onProgress }) => hashBlob(file, onProgress);

const noKeys = async (): Promise<undefined> => undefined;

void show(navigator.language.toLowerCase().startsWith('pl') ? 'PL' : 'EN');
