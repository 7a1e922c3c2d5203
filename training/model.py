"""The cross-encoder: an encoder and a linear head over three views of its
states: the mean of all tokens, and mean and maximum over the claim's tokens
(the maximum lets one wrong word decide). Class order: entailment, neutral,
contradiction."""
import torch
from transformers import AutoModel

LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": 3}


class CrossEncoder(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(path, attn_implementation="eager", add_pooling_layer=False)
        for m in self.encoder.modules():
            if isinstance(m, torch.nn.Dropout):
                m.p = 0.0
        self.encoder.embeddings.word_embeddings.weight.requires_grad = False
        self.head = torch.nn.Linear(3 * self.encoder.config.hidden_size, 3)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)

    def freeze(self, layers):
        """Leaves so many layers, from below, and all embeddings as they are.
        MPNet's position bias is read by every layer, so it stays too."""
        if layers == 0:
            return
        e = self.encoder
        for part in [e.embeddings, getattr(e.encoder, "relative_attention_bias", None), *e.encoder.layer[:layers]]:
            for q in part.parameters() if part is not None else ():
                q.requires_grad = False

    def forward(self, ids, mask, claim, types=None):
        kw = {"token_type_ids": types} if types is not None else {}
        h = self.encoder(input_ids=ids, attention_mask=mask, **kw).last_hidden_state.float()
        m, c = mask.unsqueeze(-1).float(), claim.unsqueeze(-1).float()
        mean = (h * m).sum(1) / m.sum(1)
        part = (h * c).sum(1) / c.sum(1).clamp(min=1)
        top = h.masked_fill(c == 0, -1e4).max(1).values
        return self.head(torch.cat([mean, part, top], 1))


def loss(logits, labels, teacher=None, temperature=1.0):
    """Cross entropy; a two-class label not_entailment is neutral or
    contradiction. With a teacher's logits, half of it is distillation."""
    logp = torch.log_softmax(logits, 1)
    either = torch.logsumexp(logp[:, 1:], 1)
    picked = torch.where(labels == 3, either, logp.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1))
    hard = -picked
    if teacher is None:
        return hard.mean()
    q = torch.softmax(teacher / temperature, 1)
    soft = -(q * torch.log_softmax(logits / temperature, 1)).sum(1) * temperature**2
    return (0.5 * hard + 0.5 * soft).mean()
