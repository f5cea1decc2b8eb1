import { CloseButton } from '#desktop/CloseButton.tsx';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import { DocumentHistory } from './DocumentHistory.tsx';
import css from './HistoryWindow.module.css';

interface HistoryWindowProps {
  readonly documentId: string;
  /** What it is called: a title of a window has no room for all of it. */
  readonly name: string | undefined;
  readonly onShow: (opener: HTMLElement) => void;
}

/** The history of a document by itself: also of one that is only downloaded, or is damaged, which no viewer shows (G3). */
export function HistoryWindow({ documentId, name, onShow }: HistoryWindowProps) {
  return (
    <>
      <div className={css['content']}>
        {name !== undefined && <p className={css['name']}>{name}</p>}
        <DocumentHistory documentId={documentId} />
      </div>
      <WindowFoot>
        <Button icon="eye" onClick={(event) => onShow(event.currentTarget)}>
          {t('list.show')}
        </Button>
        <CloseButton kind="primary">{t('viewer.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}
