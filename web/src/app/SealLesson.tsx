import { getPageText, listOwnDocuments, type DocumentRow, type PageText } from '@pergamin/contract';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { announce } from '#kit/feedback/Announcer.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { noteSealExplained } from '#platform/choose-appearance.ts';
import { callQuery } from '#platform/call.queries.ts';
import { t } from '#platform/language.ts';
import { checksumOf, titleOf } from '#platform/metadata.ts';
import { newestDocuments } from './newest-documents.ts';
import css from './SealLesson.module.css';

/** The newest may be without a seal. */
const newest = newestDocuments(20);

interface SealLessonProps {
  /** The customer has begun something: it waits until that is over. */
  readonly isHeld: boolean;
  readonly onClose: () => void;
}

/** After the terms were accepted for the first time: what a seal is, on the newest document. Without one nothing is shown. */
export function SealLesson({ isHeld, onClose }: SealLessonProps) {
  const [isBegun, setIsBegun] = useState(false);
  const { data } = useQuery(callQuery(listOwnDocuments, { body: newest }));
  const document = data?.items.find((row) => !row.corrupted && checksumOf(row) !== undefined);
  const words = useQuery({
    ...callQuery(getPageText, { params: { id: document?.id ?? '', page: '1' } }),
    enabled: document !== undefined,
    retry: false,
  });
  if (document === undefined || words.isPending || (isHeld && !isBegun)) return null;
  if (!isBegun) setIsBegun(true);
  return <Lesson document={document} line={findLine(words.data) ?? titleOf(document)} onClose={onClose} />;
}

const longestLine = 60;
/** Rather part of a sentence than a heading, rather a heading than nothing. */
const fewestLetters = [24, 12];

const findLine = (text: PageText | undefined): string | undefined => {
  const lines = text?.lines.map(({ runs }) => runs.map((run) => run.text).join(' ')).filter(({ length }) => length <= longestLine) ?? [];
  const withLetters = (letters: number) => lines.find((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= letters);
  return fewestLetters.map(withLetters).find((line) => line !== undefined);
};

const sealSizePx = 132;
const ownSealSizePx = 44;

function Lesson({ document, line, onClose }: Pick<SealLessonProps, 'onClose'> & { readonly document: DocumentRow; readonly line: string }) {
  const [text, setText] = useState(line);
  const isSame = text === line;
  const says = t(isSame ? 'sealLesson.same' : 'sealLesson.other');
  useEffect(noteSealExplained, []);
  useEffect(() => {
    if (!isSame) announce(t('sealLesson.other'));
  }, [isSame]);
  return (
    <Dialog
      title={t('sealLesson.title')}
      width={620}
      onClose={onClose}
      foot={
        <Button kind={isSame ? 'secondary' : 'primary'} onClick={onClose}>
          {t(isSame ? 'sealLesson.skip' : 'sealLesson.done')}
        </Button>
      }
    >
      <p>{t('sealLesson.lead', { name: titleOf(document) })}</p>
      <TextField
        label={t('sealLesson.field')}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      <div className={css['pair']}>
        <Sealed text={line} says={t('sealLesson.before')} />
        <Sealed text={text} says={says} />
      </div>
      <p className={css['own']}>
        <Seal sha256={checksumOf(document) ?? ''} size={ownSealSizePx} />
        {t('sealLesson.own')}
      </p>
    </Dialog>
  );
}

function Sealed({ text, says }: { readonly text: string; readonly says: string }) {
  const checksum = bytesToHex(sha256(utf8ToBytes(text)));
  return (
    <figure className={css['sealed']}>
      <Seal sha256={checksum} size={sealSizePx} />
      <figcaption>
        <b>{says}</b>
        <Checksum sha256={checksum} />
      </figcaption>
    </figure>
  );
}
