import { type ReactNode, type Ref, useSyncExternalStore } from 'react';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { t } from '#platform/language.ts';
import { bytesText } from '#platform/numbers.ts';
import { FileZone } from '#features/verification/FileZone.tsx';
import css from './ReceiptInput.module.css';
import type { GivenFile, GivenKind, ReceiptCheck } from './useReceiptCheck.ts';

interface ReceiptInputProps {
  readonly check: ReceiptCheck;
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly isOver: boolean;
  /** Of the portal: the way to verify.html. */
  readonly isOffline?: boolean;
}

/** Takes a file, its receipt and, if one has them, the keys; shows which of them are there and which is missing. */
export function ReceiptInput({ check, buttonRef, isOver, isOffline = false }: ReceiptInputProps) {
  const { file, receipt, keys } = useSyncExternalStore(check.subscribe, check.getState);
  const remove = (part: GivenKind) => () => check.remove(part);
  return (
    <div className={css['input']}>
      <FileZone
        title={t('receipt.drop')}
        note={t('receipt.stays')}
        choose={t('receipt.choose')}
        buttonRef={buttonRef}
        isOver={isOver}
        onFiles={(files) => void check.addFiles(files)}
      />
      <ul className={css['parts']} aria-label={t('receipt.parts')}>
        <Part icon="file-pdf" name={file?.name} missing={t('receipt.needsFile')} onRemove={remove('file')} note={file && noteOf(file)}>
          {file?.sha256 === undefined ? undefined : <Seal sha256={file.sha256} size={34} />}
        </Part>
        <Part
          icon="certificate"
          name={receipt?.name}
          note={receipt && <small>{bytesText(receipt.bytes.length)}</small>}
          missing={t('receipt.needsReceipt')}
          onRemove={remove('receipt')}
        />
        <Part
          icon="key"
          name={keys?.from === 'portal' ? t('receipt.keysOfPortal') : keys?.name}
          note={keys && <small>{t(keys.from === 'portal' ? 'receipt.keysOfPortalText' : 'receipt.keysOfFile')}</small>}
          missing={t(isOffline ? 'receipt.needsKeys' : 'receipt.keysLater')}
          onRemove={keys?.from === 'file' ? remove('keys') : undefined}
        />
      </ul>
    </div>
  );
}

const noteOf = ({ sha256, size, percent, isUnreadable }: GivenFile): ReactNode =>
  isUnreadable ? (
    <Badge tone="warn" icon="warning-fill">
      {t('verify.unreadable')}
    </Badge>
  ) : (
    <small>{sha256 === undefined ? t('verify.readingFile', { percent }) : bytesText(size)}</small>
  );

interface PartProps {
  readonly icon: IconName;
  readonly name: string | undefined;
  readonly note: ReactNode;
  readonly missing: string;
  readonly onRemove: (() => void) | undefined;
  /** In the place of the icon. */
  readonly children?: ReactNode;
}

function Part({ icon, name, note, missing, onRemove, children }: PartProps) {
  if (name === undefined)
    return (
      <li data-missing="">
        <Icon name={icon} size="l" />
        <p>{missing}</p>
      </li>
    );
  return (
    <li>
      {children ?? <Icon name={icon} size="l" />}
      <p>
        <b>{name}</b>
        {note}
      </p>
      {onRemove !== undefined && <IconButton icon="x" name={t('verify.remove', { name })} onClick={onRemove} />}
    </li>
  );
}
