import { Badge, type BadgeProps } from '#kit/feedback/Badge.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { t } from '#platform/language.ts';
import { bytesText } from '#platform/numbers.ts';
import css from './VerifiedList.module.css';
import { badgeOf } from './verdict.ts';
import type { Progress, Verified } from './verification.store.ts';

interface VerifiedListProps {
  readonly items: readonly Verified[];
  readonly chosenKey: string | undefined;
  readonly onChoose: (key: string) => void;
  readonly onRemove: (item: Verified, button: HTMLElement) => void;
}

const sealSizePx = 34;
const shownDigits = 8;

/** What was handed in, the newest first; the chosen one's verdict stands beside the list. */
export function VerifiedList({ items, chosenKey, onChoose, onRemove }: VerifiedListProps) {
  if (items.length === 0) return null;
  return (
    <ul className={css['list']} aria-label={t('verify.items')}>
      {items.map((item) => {
        const { key, file, progress } = item;
        const name = shortName(item);
        const isOver = progress.state === 'answered' || progress.state === 'failed';
        return (
          <li key={key} data-chosen={key === chosenKey || undefined}>
            <button type="button" className={css['pick']} aria-current={key === chosenKey || undefined} onClick={() => onChoose(key)}>
              {progress.state !== 'waiting' && 'sha256' in progress && progress.sha256 !== undefined ? (
                <Seal sha256={progress.sha256} size={sealSizePx} />
              ) : (
                <Icon name={file === undefined ? 'hash' : 'file-pdf-duotone'} size="l" />
              )}
              <span className={css['words']}>
                <b className={file === undefined ? 'num' : undefined}>{name}</b>
                <small>
                  {file === undefined ? t('verify.checksum') : bytesText(file.size)}
                  {progress.state === 'hashing' && ` · ${t('verify.percent', { percent: progress.percent })}`}
                </small>
              </span>
              <Badge {...badgeOfProgress(progress)} />
            </button>
            <IconButton
              icon="x"
              data-remove=""
              name={t(isOver ? 'verify.remove' : 'verify.cancel', { name })}
              onClick={({ currentTarget }) => onRemove(item, currentTarget)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** A file's name, or the beginning and the end of a checksum. */
export const shortName = ({ name, file }: Verified): string =>
  file === undefined ? `${name.slice(0, shownDigits)} … ${name.slice(-shownDigits)}` : name;

const badgeOfProgress = (progress: Progress): BadgeProps => {
  if (progress.state === 'answered') return badgeOf(progress);
  if (progress.state === 'failed') return { tone: 'warn', icon: 'warning-fill', children: t('verify.notVerified') };
  return { children: t(`verify.${progress.state}`) };
};
