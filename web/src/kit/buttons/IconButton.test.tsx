import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { IconButton } from './IconButton.tsx';

test.each([1, 13, 120])('a counter of %i stands beside its icon and hides no more of it than a corner', (count) => {
  show(<IconButton size="l" icon="bell-fill" name="Notifications" count={count} />);
  const [icon, badge] = ['svg', 'span'].map((part) => page.getByRole('button').element().querySelector(part)?.getBoundingClientRect());
  if (icon === undefined || badge === undefined) throw new Error('there is no icon or no counter');
  const covered = Math.max(0, Math.min(icon.right, badge.right) - badge.left) * Math.max(0, badge.bottom - Math.max(icon.top, badge.top));
  expect(covered / (icon.width * icon.height)).toBeLessThan(0.1);
});
