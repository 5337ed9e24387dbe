/** Draws the icons of the menu on 16 by 16 units, as lines. */

const lines: Readonly<Record<string, string>> = {
  today: 'M2.5 13.5h11M4 11V7.5M8 11V3.5M12 11V6',
  simulator: 'M2 3h2l1.6 7h6.3L13.5 5H4.6M6.5 13.2v.1M11.5 13.2v.1',
  reports: 'M3.5 2h6L13 5.5V14H3.5zM9 2v4h4M6 9h5M6 11.5h5',
  campaigns: 'M2.5 6.5v3l8 3.5V3zM10.5 6.2a2 2 0 010 3.6M4.5 10l.8 3.5h1.8',
  vouchers: 'M2 4.5h12v2.2a1.4 1.4 0 000 2.6v2.2H2V9.3a1.4 1.4 0 000-2.6zM9.5 4.5v7',
  promotions: 'M4.2 11.8l7.6-7.6M5.2 6a1 1 0 100-2 1 1 0 000 2zM10.8 12a1 1 0 100-2 1 1 0 000 2z',
  stacking: 'M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3',
  loyalty: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  closes: 'M4 7V5a4 4 0 018 0v2M3 7h10v6.5H3zM8 9.5v1.5',
  rules: 'M2.5 4l1.2 1.2L6 3M2.5 8l1.2 1.2L6 7M2.5 12l1.2 1.2L6 11M8.5 4.5H14M8.5 8.5H14M8.5 12.5H14',
  customers: 'M8 7.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM3 13.5c.4-2.7 2.4-4 5-4s4.6 1.3 5 4',
  segments: 'M8 2v6h6A6 6 0 118 2zM10.5 1.8A6 6 0 0114.2 5.5h-3.7z',
  catalogue: 'M2.5 5L8 2l5.5 3v6L8 14l-5.5-3zM2.5 5L8 8l5.5-3M8 8v6',
  orders: 'M3.5 5.5h9l.8 8H2.7zM5.5 7.5V5a2.5 2.5 0 015 0v2.5',
  redemptions: 'M2.5 8.5l3.5 3.5 7.5-8',
  work: 'M8 4.5V8l2.5 1.5M8 14A6 6 0 108 2a6 6 0 000 12z',
  webhooks: 'M6 9.5L9.5 6M7 4.5l1.5-1.5a2.8 2.8 0 014 4L11 8.5M9 11.5L7.5 13a2.8 2.8 0 01-4-4L5 7.5',
  settings: 'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.5a2 2 0 100-4 2 2 0 000 4zM6 13.5a2 2 0 100-4 2 2 0 000 4z',
};

/** Shows the icon of a screen. Its name is next to it. */
export function Icon({ of }: { of: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={lines[of] ?? ''} />
    </svg>
  );
}
