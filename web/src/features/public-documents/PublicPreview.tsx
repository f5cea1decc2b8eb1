import { downloadPublicDocument, getPublicDocument } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { PdfSheets } from '#kit/pdf/PdfSheets.tsx';
import { usePdf } from '#kit/pdf/usePdf.ts';
import { StateBanner } from '#kit/feedback/StateBanner.tsx';
import { call, CallError } from '#platform/api.ts';
import { brand } from '#platform/brand.ts';
import { isNotFound, sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { pdfName, saveFile } from '#platform/save-file.ts';
import css from './PublicPreview.module.css';

interface PublicPreviewProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** A public document page by page, drawn here from its bytes (A13); nothing is marked. Its new version takes its place. */
export function PublicPreview({ id, title, onClose }: PublicPreviewProps) {
  const [next, setNext] = useState<{ readonly of: string; readonly id: string }>();
  const shown = next?.of === id ? { id: next.id, title: t('documents.preview') } : { id, title };
  return <Preview key={shown.id} {...shown} onClose={onClose} onOpenNewVersion={(successor) => setNext({ of: id, id: successor })} />;
}

interface PreviewProps extends PublicPreviewProps {
  readonly onOpenNewVersion: (id: string) => void;
}

function Preview({ id, title, onClose, onOpenNewVersion }: PreviewProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const {
    data,
    error: notLoaded,
    refetch,
  } = useQuery({
    queryKey: [downloadPublicDocument.name, id],
    queryFn: async ({ signal }) => {
      const [details, bytes] = await Promise.all([
        call(getPublicDocument, { params: { id }, signal }),
        call(downloadPublicDocument, { params: { id }, signal }),
      ]);
      return { details, bytes };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { pdf, error: notRead, retry } = usePdf(data?.bytes);
  const error = notLoaded ?? notRead;
  useEffect(() => heading.current?.focus(), []);
  const name = data === undefined ? title : titleOf(data.details);
  useDocumentTitle(name);
  const fileName = data?.details.metadata['FILE_NAME'];
  const successor = data?.details.successor;
  return (
    <section className={css['preview']} aria-labelledby={titleId}>
      <header className={css['bar']}>
        <IconButton icon="arrow-left" name={t('publicView.backToList')} onClick={onClose} />
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {name}
        </h2>
        <Button
          icon="download-simple"
          busy={data === undefined && notLoaded === null}
          disabledReason={notLoaded === null ? undefined : t('list.failed')}
          onClick={() => data && saveFile(data.bytes, pdfName(fileName === undefined ? undefined : String(fileName), id))}
        >
          {t('list.download')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('viewer.close')}
        </Button>
      </header>
      {data !== undefined && (
        <StateBanner
          state={data.details.state}
          onOpenNewVersion={successor === undefined ? undefined : () => onOpenNewVersion(successor)}
        />
      )}
      <PdfSheets
        pdf={pdf}
        instead={error === null ? undefined : <Refused error={error} onRetry={notLoaded === null ? retry : () => void refetch()} />}
      />
    </section>
  );
}

/** The browser's tab is named by the document as long as it is shown (WCAG 2.4.2). */
function useDocumentTitle(name: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${name} · ${brand().name}`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

function Refused({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (isNotFound(error)) return <ErrorState icon="file-x-duotone" title={t('viewer.notFound')} />;
  if (error instanceof CallError && error.status === 403) return <ErrorState title={t('viewer.forbidden')} />;
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
