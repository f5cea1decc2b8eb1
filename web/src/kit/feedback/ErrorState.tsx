import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { EmptyStateProps } from './EmptyState.tsx';
import css from './States.module.css';

export interface ErrorStateProps extends EmptyStateProps {
  readonly icon?: IconName;
  /** Of the title: 1 where this is the whole page. */
  readonly level?: 1 | 3;
  /** Instead of `action`: the button that tries again. */
  readonly onRetry?: () => void;
}

/** Something that cannot be shown: icon, title, sentence, way back. Read out as it appears. */
export function ErrorState({ title, text, action, icon = 'warning-duotone', level = 3, onRetry }: ErrorStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={css['state']} role="alert">
      <Icon name={icon} size="xxl" className={css['bad']} />
      <Heading>{title}</Heading>
      {text !== undefined && <p>{text}</p>}
      {onRetry === undefined ? (
        action
      ) : (
        <Button icon="arrow-clockwise" onClick={onRetry}>
          {t('error.tryAgain')}
        </Button>
      )}
    </div>
  );
}
