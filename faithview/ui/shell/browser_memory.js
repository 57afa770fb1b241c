// Keeps a short text in this browser, for this dashboard alone; an empty one is forgotten.

export default ({ data }) => {
  const life = data.text ? data.days * 86400 : 0;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${encodeURIComponent(data.text)}; Max-Age=${life}; Path=/; SameSite=Strict${secure}`;
};
