import '#kit/styles/design.css';

/* The page that `npm run bench drag` drags a window of: the real desk, or with `?bare` the least that can be dragged. */
if (location.search === '?bare') await import('./bare.ts');
else await import('./desk.tsx');
