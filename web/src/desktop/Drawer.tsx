import { useRef } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { Brand } from './Brand.tsx';
import { useDesktop, useWindows } from './desktop.context.ts';
import css from './Drawer.module.css';
import { closeInList } from './focus-return.ts';
import type { ToolbarItem, ToolbarProps } from './Toolbar.tsx';
import type { OpenWindow } from './windows.state.ts';

/** The menu where the toolbar has no room for it: a native modal dialog, so Escape, the focus and the rest of the page are taken care of. */
export function Drawer({ menu, account, onAction }: Omit<ToolbarProps, 'search' | 'bell'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const desktop = useDesktop();
  const { windows } = useWindows();
  const run = (act: () => void) => {
    dialog.current?.close();
    act();
  };
  return (
    <>
      <IconButton size="l" icon="list" name={t('menu.open')} aria-haspopup="dialog" onClick={() => dialog.current?.showModal()} />
      {/* A press on the backdrop lands on the dialog element itself; Escape does the same from the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <dialog
        ref={dialog}
        className={css['drawer']}
        aria-label={t('menu.main')}
        onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      >
        <div className={css['sheet']}>
          <div className={css['head']}>
            <Brand />
            <IconButton size="l" icon="x" name={t('menu.close')} ref={closer} onClick={() => dialog.current?.close()} />
          </div>
          <nav className={css['scroll']} aria-label={t('menu.main')}>
            {menu.map((item) => (
              <Group key={item.id} item={item} onAction={(id) => run(() => onAction(id))} />
            ))}
            {windows.length > 0 && (
              <section>
                <h2>{t('windows.openWindows')}</h2>
                <ul>
                  {windows.map((window) => (
                    <WindowRow
                      key={window.id}
                      window={window}
                      onShow={() => run(() => desktop.focus(window.id))}
                      onNoneLeft={() => closer.current?.focus()}
                    />
                  ))}
                </ul>
              </section>
            )}
            <section>
              {account.entries.map(
                (entry) =>
                  // What the menu above has already is not said twice.
                  'id' in entry &&
                  !menu.some(({ id }) => id === entry.id) && (
                    <Row key={entry.id} {...entry} icon={entry.icon ?? 'user-circle'} onPress={() => run(() => onAction(entry.id))} />
                  ),
              )}
            </section>
          </nav>
          <div className={css['person']}>
            <Icon name="user-circle-duotone" size="l" />
            <span>
              <b>{account.name}</b>
              {account.detail !== undefined && <small className="num">{account.detail}</small>}
            </span>
          </div>
        </div>
      </dialog>
    </>
  );
}

function Group({ item, onAction }: { readonly item: ToolbarItem; readonly onAction: (id: string) => void }) {
  if (item.items === undefined) return <Row {...item} onPress={() => onAction(item.id)} />;
  return (
    <section>
      <h2>{item.label}</h2>
      {item.items.map((inner) => (
        <Row key={inner.id} {...inner} onPress={() => onAction(inner.id)} />
      ))}
    </section>
  );
}

interface WindowRowProps {
  readonly window: OpenWindow;
  readonly onShow: () => void;
  readonly onNoneLeft: () => void;
}

function WindowRow({ window, onShow, onNoneLeft }: WindowRowProps) {
  const desktop = useDesktop();
  const row = useRef<HTMLLIElement>(null);
  const title = desktop.titleOf(window);
  const handleClose = async () => {
    const closed = await closeInList(row.current, () => desktop.close(window.id, { focus: 'stays' }), onNoneLeft);
    if (closed) announce(t('windows.closed', { title }));
  };
  return (
    <li ref={row} className={css['window']}>
      <Row icon={desktop.kindOf(window.kind).icon} label={title} onPress={onShow} />
      <IconButton size="l" icon="x" name={t('windows.closeNamed', { title })} data-closes="" onClick={() => void handleClose()} />
    </li>
  );
}

function Row({ icon, label, badge, current, onPress }: Omit<ToolbarItem, 'id' | 'items'> & { readonly onPress: () => void }) {
  return (
    <button type="button" className={css['row']} aria-current={current || undefined} onClick={onPress}>
      <Icon name={icon} />
      <span>
        <UnbrokenNumbers text={label} />
      </span>
      {badge !== undefined && badge.count > 0 && (
        <>
          <em aria-hidden="true">{badge.count}</em>
          <span className="visually-hidden">{badge.label}</span>
        </>
      )}
    </button>
  );
}
