import { beforeEach, expect, test } from 'vitest';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { PublicFrame } from './PublicFrame.tsx';

beforeEach(() => freshTab('EN'));

test('the tab is named with a capital letter, whatever the title is written with elsewhere', async () => {
  show(<PublicFrame title="public documents">…</PublicFrame>);
  await expect.poll(() => document.title).toBe('Public documents · Pergamin');
});
