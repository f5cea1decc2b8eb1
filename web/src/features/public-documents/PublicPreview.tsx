import { downloadPublicDocument, getPublicDocument } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#kit/Button.tsx';
import { ErrorState } from '#kit/EmptyState.tsx';
import { IconButton } from '#kit/IconButton.tsx';
import { ProgressLabel } from '#kit/Spinner.tsx';
import { useWidth } from '#kit/viewer/useWidth.ts';
import { call, CallError } from '#platform/api.ts';
import { isNotFound, sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { pdfName, saveFile } from '#platform/save-file.ts';
import { openPdf } from './pdf-pages.ts';
import { PdfPage } from './PdfPage.tsx';
import css from './PublicPreview.module.css';

interface PublicPreviewProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

const widestPx = 900;
const gapPx = 32;

/** A public document page by page, drawn here from its very bytes (A13): nobody's marks, nothing to be finished. */
export function PublicPreview({ id, title, onClose }: PublicPreviewProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [pages, setPages] = useState<HTMLElement | null>(null);
  const room = useWidth(pages);
  const { data, error, refetch } = useQuery({
    queryKey: [downloadPublicDocument.name, id],
    queryFn: async ({ signal }) => {
      const [details, bytes] = await Promise.all([
        call(getPublicDocument, { params: { id }, signal }),
        call(downloadPublicDocument, { params: { id }, signal }),
      ]);
      return { details, bytes, pdf: await openPdf(bytes) };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pdf = data?.pdf;
  useEffect(() => () => pdf?.close(), [pdf]);
  useEffect(() => heading.current?.focus(), []);
  const fileName = data?.details.metadata['FILE_NAME'];
  return (
    <section className={css['preview']} aria-labelledby={titleId}>
      <header className={css['bar']}>
        <IconButton icon="arrow-left" name={t('publicView.backToList')} onClick={onClose} />
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {data === undefined ? title : titleOf(data.details)}
        </h2>
        <Button
          icon="download-simple"
          busy={data === undefined && error === null}
          disabledReason={error === null ? undefined : t('list.failed')}
          onClick={() => data && saveFile(data.bytes, pdfName(fileName === undefined ? undefined : String(fileName), id))}
        >
          {t('list.download')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('viewer.close')}
        </Button>
      </header>
      {/* Scrolled by the keys, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={setPages} className={css['pages']} role="region" aria-label={t('viewer.pages')} tabIndex={0}>
        {data === undefined && error === null && (
          <div className={css['waiting']}>
            <ProgressLabel text={t('viewer.opening')} />
          </div>
        )}
        {error !== null && <Refused error={error} onRetry={() => void refetch()} />}
        {pdf !== undefined &&
          Array.from({ length: pdf.count }, (_, i) => (
            <PdfPage key={i + 1} pdf={pdf} page={i + 1} widthPx={Math.max(0, Math.min(widestPx, room - gapPx))} />
          ))}
      </div>
    </section>
  );
}

function Refused({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (isNotFound(error)) return <ErrorState icon="file-x-duotone" title={t('viewer.notFound')} />;
  return (
    <ErrorState
      title={t('viewer.failed')}
      text={error instanceof CallError ? sentenceOf(error) : undefined}
      action={
        <Button icon="arrow-clockwise" onClick={onRetry}>
          {t('error.tryAgain')}
        </Button>
      }
    />
  );
}
