/**
 * Folds what most readers skip, as the plug-in `folding` of Swagger UI: each refusal into a line with its keys, and the
 * headers of replies. A refusal is drawn only when it is opened, so an operation with nine refusals opens faster.
 */
export const foldingScript = `const folding = () => ({
  wrapComponents: {
    headers: (Headers, { React }) => (props) => {
      if (!props.headers?.size) return null;
      const { createElement: h } = React;
      return h('details', { className: 'folded' }, h('summary', null, 'Headers'), h(Headers, props));
    },
    response: (Response, { React }) => (props) => {
      const { createElement: h, useState } = React;
      const [isOpen, setOpen] = useState(!/^[45]/.test(props.code));
      if (isOpen) return h(Response, props);
      const words = String(props.response.get('description'));
      const keys = [...words.matchAll(/\`(\\w+)\`:/g)].map(([, key]) => key).join(', ');
      const button = h('button', { className: 'fold', onClick: () => setOpen(true) }, keys || words);
      return h('tr', { className: 'response', 'data-code': props.code },
        h('td', { className: 'response-col_status' }, props.code),
        h('td', { className: 'response-col_description', colSpan: 2 }, button));
    },
  },
});
`;

export const foldingStyle = `.swagger-ui .folded summary { cursor: pointer; font-size: 14px; padding: 5px 0 }
.swagger-ui .folded .headers__title { display: none }
.swagger-ui .fold { background: none; border: 0; color: inherit; cursor: pointer; font: inherit; padding: 0; text-align: left; overflow-wrap: anywhere }
.swagger-ui .fold::before { content: '\\25B8\\00a0' }
`;
