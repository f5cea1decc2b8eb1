import { Dashboard } from '#desktop/Dashboard.tsx';
import { useDesktop } from '#desktop/desktop.context.ts';
import { Tiles, type TileItem } from '#desktop/Tiles.tsx';
import { t } from '#platform/language.ts';
import css from './Overview.module.css';
import { RecentDocuments } from './RecentDocuments.tsx';

/** A card stays a card, however few of them there are. */
const cardWidthRem = 11.25;

/** What can be opened from the desk. */
export const deskTiles = (): readonly TileItem[] => [
  { id: 'received', label: t('dashboard.received'), icon: 'tray-arrow-down-duotone' },
  { id: 'account', label: t('account.title'), icon: 'user-circle-duotone' },
];

/** The desk without windows: a greeting, the tiles, the newest documents. */
export function Overview() {
  const desktop = useDesktop();
  const tiles = deskTiles();
  return (
    <Dashboard greeting={t('dashboard.greeting')} lead={t('dashboard.lead')}>
      <div className={css['tiles']} style={{ maxWidth: `${tiles.length * cardWidthRem}rem` }}>
        <Tiles label={t('dashboard.tiles')} items={tiles} look="cards" onOpen={(kind) => desktop.open(kind)} />
      </div>
      <RecentDocuments
        onOpen={({ id, title, opener }) => desktop.open('document', { id, title }, { opener })}
        onAll={() => desktop.open('received')}
      />
    </Dashboard>
  );
}
