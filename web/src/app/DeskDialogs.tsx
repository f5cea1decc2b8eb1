import type { UserInfo } from '@pergamin/contract';
import { lazy, Suspense } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import type { Right } from './menu.ts';

const loadPalette = () => import('./PaletteDialog.tsx');
export const preloadPalette = (): void => void loadPalette();

const LanguageDialog = lazy(async () => ({ default: (await import('./LanguageDialog.tsx')).LanguageDialog }));
const PasswordDialog = lazy(async () => ({ default: (await import('#features/password/PasswordDialog.tsx')).PasswordDialog }));
const AppearanceDialog = lazy(async () => ({ default: (await import('./AppearanceDialog.tsx')).AppearanceDialog }));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }));
const PaletteDialog = lazy(async () => ({ default: (await loadPalette()).PaletteDialog }));

export const dialogNames = ['language', 'appearance', 'change-password', 'reset-password', 'shortcuts', 'palette'] as const;
export type DialogName = (typeof dialogNames)[number];

export interface DeskDialogsProps {
  readonly desktop: Desktop;
  readonly open: DialogName | undefined;
  readonly user: UserInfo;
  readonly rights: ReadonlySet<Right>;
  readonly onClose: () => void;
  readonly onAction: (id: string) => void;
}

export function DeskDialogs({ desktop, open, user, rights, onClose, onAction }: DeskDialogsProps) {
  return (
    <Suspense>
      {open === 'language' && <LanguageDialog onClose={onClose} />}
      {open === 'change-password' && <PasswordDialog wanted="change" user={user} onClose={onClose} />}
      {open === 'reset-password' && <PasswordDialog wanted="reset" user={user} onClose={onClose} />}
      {open === 'appearance' && <AppearanceDialog onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
      {open === 'palette' && <PaletteDialog desktop={desktop} rights={rights} onClose={onClose} onAction={onAction} />}
    </Suspense>
  );
}
