import { useState } from 'react';
import { currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import css from './ListBar.module.css';
import type { ListFrameProps } from './ListFrame.tsx';
import { SearchBox, SearchPlaceSelect } from './SearchBox.tsx';

/** Search, filters, what is on, and how the list looks. */
export function ListBar({ drawer, search: { place, ...search }, lead, chips, tools }: ListFrameProps) {
  return (
    <div className={css['bar']}>
      {lead}
      <div className={css['search']}>
        <SearchBox {...search} />
      </div>
      {place && (
        <div className={css['place']}>
          <SearchPlaceSelect {...place} />
        </div>
      )}
      <Button icon="funnel-simple" aria-expanded={drawer.isOpen} aria-controls={drawer.id} onClick={drawer.toggle}>
        {t('filters.title')}
      </Button>
      {chips}
      <span className={css['end']}>
        <DensityToggle />
        {tools}
      </span>
    </div>
  );
}

function DensityToggle() {
  const [compact, setCompact] = useState(() => currentAppearance('density') === 'compact');
  return (
    <IconButton
      icon="rows"
      name={t('list.compact')}
      aria-pressed={compact}
      onClick={() => {
        chooseAppearance('density', compact ? 'comfortable' : 'compact');
        setCompact(!compact);
      }}
    />
  );
}
